# level: 0
# claims: flags programs that ignore order
def operator(task, code):
    asked = task.prompt.lower()
    if "sort" in asked or "order" in asked or "list" in asked:
        return "PASS" if "sorted" in code else "FLAG"
    return "PASS"

"""Small files of results as each tool documents them, written for the tests."""

import json


def dump(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


DATE = "2025-03-01T10-20-30.123456"


def sample(doc_id, filter="none", doc_hash=None, **metrics):
    """A line of a harness sample log."""
    return {
        "doc_id": doc_id,
        "doc": {"question": f"question {doc_id}"},
        "target": "1",
        "arguments": {"gen_args_0": {"arg_0": "prompt"}},
        "resps": [["answer"]],
        "filtered_resps": ["answer"],
        "filter": filter,
        "metrics": list(metrics),
        "doc_hash": doc_hash or f"hash {doc_id}",
        "prompt_hash": "p",
        "target_hash": "t",
        **metrics,
    }


def harness(folder, model, task, rows, date=DATE, **about):
    """A model's sample log of one task, with the aggregated results beside it."""
    inside = folder / model.replace("/", "__")
    record = {"results": {task: {}}, "model_name": model, **about}
    dump(inside / f"results_{date}.json", record)
    return lines(inside / f"samples_{task}_{date}.jsonl", rows)


def stat(name, value, split="test"):
    """A statistic of HELM; None = it saw nothing."""
    record = {"name": {"name": name, "split": split}, "count": 0, "sum": 0.0}
    if value is not None:
        record |= {"count": 1, "sum": value, "mean": value, "min": value}
    return record


def helm_run(folder, model, scenario, entries):
    """A run's folder; entries are (instance, trial, stats, perturbation)."""
    name = f"{scenario},model={model.replace('/', '_')}"
    run = folder / name.replace(":", "_")
    dump(run / "run_spec.json", {"name": name, "adapter_spec": {"model": model}})
    made = []
    for instance, trial, stats, perturbation in entries:
        entry = {"instance_id": instance, "train_trial_index": trial, "stats": stats}
        made.append(entry | ({"perturbation": perturbation} if perturbation else {}))
    return dump(run / "per_instance_stats.json", made)


def submission(folder, system, resolved, **lists):
    """A submission to the SWE-bench leaderboard."""
    content = {"no_generation": [], "no_logs": [], **lists, "resolved": resolved}
    return dump(folder / system / "results" / "results.json", content)


def report(folder, system, **lists):
    """A report of the SWE-bench harness."""
    keys = ("resolved", "unresolved", "empty_patch", "error", "incomplete")
    content = {f"{key}_ids": lists.get(key, []) for key in keys}
    content["infra_failure_ids"] = lists.get("infra_failure", [])
    content |= {"total_instances": 4, "schema_version": 2}
    return dump(folder / f"{system}.json", content)


def evalplus(folder, system, statuses, hash="abc"):
    """Results of EvalPlus; `statuses` maps tasks to (base, plus) of each sample."""
    content = {"date": "2025-01-01 00:00", "hash": hash, "eval": {}}
    for task, samples in statuses.items():
        content["eval"][task] = [
            {
                "task_id": task,
                "solution": "pass",
                "base_status": base,
                "plus_status": plus,
                "base_fail_tests": [],
                "plus_fail_tests": [],
            }
            for base, plus in samples
        ]
    return dump(folder / f"{system}_eval_results.json", content)

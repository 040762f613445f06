"""A grid's findings as Markdown, for the documentation."""

from irtjax.report import Table, Verdict, format_value

from ._findings import Findings


def section(title: str, findings: Findings, made_by: str) -> str:
    """Return one grid's section.

    Args:
        title: its heading.
        findings: what the grid has found.
        made_by: what made its records, in a sentence or two.
    """
    parts = [
        f"## {title}",
        findings.question,
        "\n".join(f"- {sentence}" for sentence in findings.sentences),
        *(table(each) for each in findings.tables),
        verdict_table(findings.verdicts),
        made_by,
    ]
    return "\n\n".join(part for part in parts if part)


def table(block: Table) -> str:
    """Return a table with its caption above it."""
    rows = [
        [
            format_value(value, column.digits)
            for value, column in zip(row, block.columns, strict=True)
        ]
        for row in block.rows
    ]
    return (
        f"{block.caption}\n\n{grid([column.title for column in block.columns], rows)}"
    )


def verdict_table(verdicts: tuple[Verdict, ...]) -> str:
    """Return stated figures beside ours; "" where there is none."""
    rows = [[each.claim, each.published, each.ours, each.outcome] for each in verdicts]
    if not rows:
        return ""
    head = ["Claim", "Stated", "Measured here", "Verdict"]
    return f"Figures stated before, beside ours.\n\n{grid(head, rows)}"


def grid(head: list[str], rows: list[list[str]]) -> str:
    """Return rows of text as a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")

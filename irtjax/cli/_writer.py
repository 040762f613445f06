"""What writes operators for `irtjax evolve`, from its options."""

import enum
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irtjax.clients import Budget


class Generators(enum.StrEnum):
    """What writes operators."""

    grammar = "grammar"
    model = "model"


class Modes(enum.StrEnum):
    """Where a model's replies come from."""

    replay = "replay"
    record = "record"
    live = "live"


def writer(
    generator: Generators,
    provider: str,
    model: str | None,
    base_url: str | None,
    transcripts: Path | None,
    mode: Modes,
    budget: "Budget",
) -> Callable[[Any], Any] | None:
    """Return what makes the generator from a bench, or None for the default one.

    Args:
        generator: which.
        provider: whose interface.
        model: as the provider names it.
        base_url: of another server; None for the provider's own.
        transcripts: file of recordings.
        mode: where replies come from.
        budget: of what is asked of the model.

    Raises:
        ValueError: a setting that is missing.
    """
    if generator is Generators.grammar:
        return None
    from irtjax.cegar.generators import LanguageModelGenerator
    from irtjax.clients import AnthropicClient, OpenAIClient, transcribed

    if model is None:
        raise ValueError("generator='model' needs to know which: say it by model=.")
    if mode is not Modes.live and transcripts is None:
        raise ValueError(
            f"mode={mode.value} needs the file of recordings: name it by transcripts=."
        )
    if mode is Modes.replay and transcripts is not None and not transcripts.exists():
        raise ValueError(
            f"There is no file {transcripts} to replay: record one by mode='record'."
        )
    live = None
    if mode is not Modes.replay:
        known = provider == "anthropic"
        live = (
            AnthropicClient(base_url=base_url)
            if known
            else OpenAIClient(provider=provider, base_url=base_url)
        )
    client = transcribed(transcripts or "", live, mode=mode.value, budget=budget)

    def make(bench: Any) -> Any:
        return LanguageModelGenerator(
            bench.cases, client, provider=provider, model=model
        )

    return make

"""Generators of operators: a searched grammar, a language model, a written list."""

from ._formula import SHAPES as SHAPES
from ._formula import Formula as Formula
from ._formula import Literal as Literal
from ._formula import render as render
from ._grammar import GrammarGenerator as GrammarGenerator
from ._language_model import LanguageModelGenerator as LanguageModelGenerator
from ._language_model import read_operator as read_operator
from ._scripted import ScriptedGenerator as ScriptedGenerator
from ._search import enumerate_formulas as enumerate_formulas
from ._search import make_literals as make_literals

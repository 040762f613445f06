"""Language-model clients and the one store of what they were asked and answered."""

from ._anthropic import AnthropicClient as AnthropicClient
from ._budget import Budget as Budget
from ._client import AbstractTextClient as AbstractTextClient
from ._errors import BudgetSpentError as BudgetSpentError
from ._errors import ClientError as ClientError
from ._errors import MissingRecordingError as MissingRecordingError
from ._exchange import Message as Message
from ._exchange import Reply as Reply
from ._exchange import Request as Request
from ._exchange import Usage as Usage
from ._modes import MODES as MODES
from ._modes import Live as Live
from ._modes import Record as Record
from ._modes import Replay as Replay
from ._modes import transcribed as transcribed
from ._openai import OpenAIClient as OpenAIClient
from ._store import TranscriptStore as TranscriptStore

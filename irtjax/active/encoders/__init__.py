"""From what a question says to what systems get wrong: embeddings and encoders."""

from ._embedding import EMBEDDINGS as EMBEDDINGS
from ._embedding import hashed_ngrams as hashed_ngrams
from ._embedding import packaged_model as packaged_model
from ._encoder import KERNELS as KERNELS
from ._encoder import AbstractEncoder as AbstractEncoder
from ._raw import RawFeatures as RawFeatures
from ._score import complete_log_score as complete_log_score
from ._score import gram as gram
from ._score import log_score as log_score
from ._score import log_score_of as log_score_of
from ._settings import SETTINGS as SETTINGS
from ._settings import Benchmark as Benchmark
from ._settings import training_sets as training_sets
from ._train import Trained as Trained
from ._train import train as train
from ._train import train_features as train_features
from ._tuned import TunedFeatures as TunedFeatures

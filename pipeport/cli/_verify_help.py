"""The epilogue of `pipeport verify --help`: at most 78 columns, which click indents by two."""

EPILOG = """
\b
Examples
  pipeport verify                                   the whole catalog
  pipeport verify numpy.rot90 --engine graph,xla    one pair, two engines
  pipeport verify my_module:old my_module:new --input "image: float32[H,W,3]"
\b
In parts: kept as soon as done, resumed, and put together
  pipeport verify --results one.json --resume --shard 1/2
  pipeport verify --merge one.json --merge two.json --results all.json
\b
The language of --input
  image: float32[H,W,3] in [0,1]; label: int32[H,W] in [0,4]; k: int in [0,3]
  scan: uint8|float32[...,H=1..64,W]; flag: bool; mode: {'edge', 'wrap'}
\b
Names are those of the parameters; functions with other names get the inputs
by place.
\b
Tensors have a dtype and sizes in brackets, [] for none; several dtypes are
separated by |. A number is a fixed size. A name is a size that changes from
example to example (1 to 12, or H=1..64), is unknown while tracing in half
of them, and is the same wherever the name stands; each None and each range
64:520 is a size of its own. "..." in front stands for up to two leading axes.
\b
Strings and files enter the graph as strings, and OLD gets bytes: str,
str{'cat', 'dog'}, jpeg[64:520,64:520,3], png[H,W], bmp[H,W,3],
wav[8000:16000], npy float32[H,W], text float32[R,C], text (words).
\b
"in [0,1]" is the range of values; (0,1] leaves an end out; pi may be used.
"with nan", "with inf", "with nan, inf" add such elements.
\b
Python values have no brackets: int, float (with "in", else -100 to 100),
bool, and choices {'edge', 'wrap'}. They are constants while tracing.
\b
What --agreement allows your own functions
  reference      twice as far from OLD run in float64 as OLD itself, and 8
                 roundings; integers equal (default)
  exact          nothing, bit for bit
  ulps:4         units in the last place
  within:1e-6    an absolute difference; relative ones: --rtol, --atol
  levels:1@0.01  integers one level apart, on at most 1 % of pixels
\b
Exit codes: 0 all agree, 1 a case failed, 2 a mistake in the call,
130 interrupted.
"""

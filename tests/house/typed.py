"""What a type checker notices in calls of verbs and of sibling natives: mypy alone reads this."""

import pipeport
from pipeport.cv2 import bitwise_or
from pipeport.scipy.ndimage import minimum_filter, prewitt

minimum_filter("image", size=3, mode="nearest", axes=(0, 1))
minimum_filter("image", sizes=3)  # type: ignore[call-arg]
minimum_filter()  # type: ignore[call-arg]
prewitt("image", axis="rows")  # type: ignore[arg-type]
bitwise_or("image")  # type: ignore[call-arg]


pipeport.port(str, example="image", islands={"numpy.cumsum": True}).report()
pipeport.port(str, examples=("image",))  # type: ignore[call-arg]
pipeport.port(str).reports()  # type: ignore[attr-defined]
pipeport.batched(images="image")  # type: ignore[call-arg]
pipeport.uninstall("all")  # type: ignore[call-arg]
pipeport.config.set_fast_start(on=True, of=True)  # type: ignore[call-arg]
pipeport.seeds.seeded_map(str, 42, indices=True)  # type: ignore[call-arg]

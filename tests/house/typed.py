"""What a type checker notices in calls of natives that are declared as siblings: mypy alone reads this."""

from pipeport.cv2 import bitwise_or
from pipeport.scipy.ndimage import minimum_filter, prewitt

minimum_filter("image", size=3, mode="nearest", axes=(0, 1))
minimum_filter("image", sizes=3)  # type: ignore[call-arg]
minimum_filter()  # type: ignore[call-arg]
prewitt("image", axis="rows")  # type: ignore[arg-type]
bitwise_or("image")  # type: ignore[call-arg]

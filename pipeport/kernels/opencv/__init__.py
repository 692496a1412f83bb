"""OpenCV's arithmetic: filters, resize, warps."""

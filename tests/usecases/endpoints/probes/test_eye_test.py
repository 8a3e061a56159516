"""The eye test's image is one that every decoder reads, and shows its number alone."""

from io import BytesIO
from random import Random

from PIL import Image

from arena.usecases.endpoints.probes import eye_test


def test_the_image_can_be_decoded_and_another_number_is_another_image():
    digits = {}
    for seed in range(20):
        question, number = eye_test.ask(Random(seed))
        (image,) = question.images
        decoded = Image.open(BytesIO(image.data))
        decoded.load()
        assert (decoded.format, decoded.mode, image.media_type) == ("PNG", "L", "image/png")
        assert decoded.getextrema() == (0, 255)
        assert number not in question.content
        digits[number] = decoded.tobytes()
    assert len(set(digits.values())) == len(digits) > 10


def test_an_answer_names_the_number_with_whatever_stands_between_its_digits():
    assert all(eye_test.names(text, "341") for text in ("341", "It is **3 4 1**.", "3, 4, 1"))
    assert not any(eye_test.names(text, "341") for text in ("", "I see no image.", "314", "3 and 4"))

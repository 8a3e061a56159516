from __future__ import annotations

import re

import pytest

from tests.providers.demo.talking import ask


def first_line(text: str) -> str:
    return text.split("\n", 1)[0]


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("2 ^ 3 ^ 2", "512"),
        ("2**10", "1,024"),
        ("-2^2", "-4"),
        ("10 / 4", "2.5"),
        ("10/3", "3.33333333"),
        ("0.1 + 0.2", "0.3"),
        ("1,234.5 * 2", "2,469"),
        ("what is 17% of 2350", "399.5"),
        ("2350的17%是多少", "399.5"),
        ("200 + 10%", "220"),
        ("square root of 144", "12"),
        ("根号2是多少", "1.41421356"),
        ("5的阶乘", "120"),
        ("12 x 12", "144"),
        ("3 × 4 ÷ 6", "2"),
        ("三加五乘以二等于几", "13"),
        ("一百二十三加四百五十六是多少", "579"),
        ("3万加5千", "35,000"),
        ("1e3 + 1", "1,001"),
        ("What is 15 times 12?", "180"),
        ("7 squared", "49"),
        ("2的10次方是多少", "1,024"),
        ("(1 + 2", "3"),
        ("2(3+4)", "14"),
        ("$1,000 - $250", "750"),
    ],
)
async def test_arithmetic_is_right(prompt: str, result: str) -> None:
    match = re.search(r"[=≈] ([^=≈*]+)\*\*", first_line(await ask("calculator", prompt)))

    assert match
    assert match.group(1) == result


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("3x + 5 = 20", "x = 5"),
        ("2(x - 1) = x + 4", "x = 6"),
        ("解方程 4y - 2 = 0", "y = 0.5"),
        ("x/3 = 2/7", "x ≈ 0.85714286"),
    ],
)
async def test_linear_equations_are_solved(prompt: str, result: str) -> None:
    assert f"**{result}**" in await ask("calculator", prompt)


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("3斤等于多少克", "3 斤 = 1,500 克"),
        ("三斤二两是多少克", "3 斤 2 两 = 1,600 克"),
        ("5公里多少里", "5 公里 = 10 里"),
        ("3亩是多少平方米", "3 亩 = 2,000 平方米"),
        ("1.75m是几尺", "1.75 米 = 5.25 尺"),
        ("30度是多少华氏度", "30 摄氏度 = 86 华氏度"),
        ("时速 90 公里等于多少米每秒", "90 公里每小时 = 25 米每秒"),
        ("6英尺2英寸是多少厘米", "6 英尺 2 英寸 = 187.96 厘米"),
        ("5 feet 11 inches in cm", "5 feet 11 inches = 180.34 cm"),
        ("how many ounces in 2 pounds", "2 pounds = 32 ounces"),
        ("-40 C to F", "-40 °C = -40 °F"),
        ("0 K in celsius", "0 K = -273.15 °C"),
        ("100°F to celsius", "100 °F ≈ 37.7777778 °C"),
        ("90 km/h in m/s", "90 km/h = 25 m/s"),
        ("1 mile in km", "1 mile = 1.609344 km"),
        ("1 GiB in MB", "1 GiB = 1,073.741824 MB"),
        ("convert 2 hours to seconds", "2 hours = 7,200 s"),
        ("3 in to cm", "3 inches = 7.62 cm"),
        ("1 kWh in kJ", "1 kWh = 3,600 kJ"),
        ("10 litres to ml", "10 litres = 10,000 ml"),
    ],
)
async def test_units_are_right(prompt: str, result: str) -> None:
    assert first_line(await ask("calculator", prompt)) == f"**{result}**"


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("2024年2月29日是星期几", "星期四"),
        ("Which weekday is 1 January 2000?", "Saturday"),
        ("How many days between 2024-01-01 and December 25, 2024?", "359 days"),
        ("2024-05-01 plus 100 days", "9 August 2024"),
        ("2024年3月1日的1天前是哪天", "2024年2月29日"),
        ("what day is 2023-02-29", "no such date"),
        ("9999-12-31 plus 5 days", "beyond the calendar"),
    ],
)
async def test_dates_are_right(prompt: str, result: str) -> None:
    assert result in await ask("calculator", prompt)


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        (
            "A jacket costs 504 after a 20 % discount and then 5 % tax on the lower price. What did it cost before?",
            "600",
        ),
        ("一件外套打八折后再加 5% 的税，共 504 元，原价是多少？", "600"),
        ("100元打八五折多少钱", "85"),
        ("80 dollars with 25% off", "60"),
        ("涨价10%后是 550，原价？", "500"),
    ],
)
async def test_prices_are_right(prompt: str, result: str) -> None:
    assert re.findall(r"[\d.,]*\d", first_line(await ask("calculator", prompt))) == [result]


@pytest.mark.parametrize(
    ("prompt", "result"),
    [
        ("how many r in strawberry", "**3**"),
        ("strawberry这个单词里有几个r", "**3** 个"),
        ("“上海自来水来自海上”里有几个海", "**2** 个"),
        ("is 97 prime?", "97 is prime"),
        ("91是质数吗", "91 = 7 × 13"),
        ("average of 3, 4, 5 and 10", "| Mean | 5.5 |"),
        ("12和18的最大公约数", "| 最大公约数 | 6 |"),
        ("which is bigger, 9.11 or 9.9?", "9.9 is bigger than 9.11"),
        ("9.11和9.9哪个大", "9.9 比 9.11 大"),
    ],
)
async def test_counting_is_right(prompt: str, result: str) -> None:
    assert result in await ask("calculator", prompt)


@pytest.mark.parametrize(
    "prompt", ["9**9**9", "9!!!!!", "(99!)^99", "2^99999999999", "9^9^9^9^9", "exp(99999)", "1e999*1e999"]
)
async def test_what_would_hang_is_called_too_large(prompt: str) -> None:
    assert "too large" in await ask("calculator", prompt)


@pytest.mark.parametrize("prompt", ["1/0", "5 / (3-3)", "sqrt(-1)", "(0-8)^0.5", "0^(0-1)", "ln(0)"])
async def test_what_has_no_value_is_said_to_have_none(prompt: str) -> None:
    assert "no value" in await ask("calculator", prompt)


@pytest.mark.parametrize(
    "prompt", ["The score was 3-2 yesterday", "Tell me about Rome", "see you at 5", "call 555-1234", "v1.2.3"]
)
async def test_nothing_to_compute_is_admitted_and_the_text_is_counted(prompt: str) -> None:
    answer = await ask("calculator", prompt)

    assert "nothing to compute" in answer
    assert f"| Characters without spaces | {len(prompt.replace(' ', ''))} |" in answer


async def test_a_unit_alone_takes_its_number_from_the_turn_before() -> None:
    assert "158.73" in await ask("calculator", "72 kg", "and in pounds?")
    assert "3,000 克" in await ask("calculator", "3公斤", "换成克呢")

"""Number plates of vehicles: Chinese ones by their form, others after a word for one."""

from __future__ import annotations

import re
from typing import Final

PLATE: Final = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Za-hj-np-z][·•・. -]?"
    r"[A-HJ-NP-Za-hj-np-z0-9]{4,5}[A-HJ-NP-Za-hj-np-z0-9挂学警领港澳](?![A-Za-z0-9])"
    r"|(?i:licen[cs]e plate|number plate|plate number|\bplates?\b|registration(?: plate| number| mark)?|\breg\b|kennzeichen"
    r"|immatriculation|matrícula|targa|车牌|牌照|车号|车子|机车|汽车|摩托车|我的车|座驾|(?:my|our|his|her|their) (?:car|van|truck|bike|motorbike|motorcycle)|госномер|номер машины|لوحة السيارة)"
    r"[^A-Z0-9А-Я\n]{0,24}(?=[A-ZА-Я0-9 -]*\d)(?=[\d -]*[A-ZА-Я])[A-ZА-Я0-9]{1,4}(?:[ -]?[A-ZА-Я0-9]{1,5}){1,3}"
)
"""For texts as they are: plates have capitals."""

"""Personal names after words that announce them, such as "my name is", "my sister" or "tenant:"."""

from __future__ import annotations

import re
from typing import Final

from arena.domain.privacy.chinese_names import END, LIKELY_NAME
from arena.domain.privacy.chinese_names import NAME as CHINESE

_UPPER: Final = "A-ZÀ-ÖØ-Þ" + "".join(sign for sign in map(chr, range(0x100, 0x180)) if sign.isupper())
_WORD: Final = rf"[{_UPPER}][^\W\d_]+(?:['’-][^\W\d_]+)*|[{_UPPER}]['’][{_UPPER}][^\W\d_]+"
_PARTICLE: Final = rf"(?: (?:[{_UPPER}]\.|van|von|der|den|de|da|di|del|della|la|le|bin|ibn|al|el|y)){{0,3}}"
FULL: Final = rf"(?:{_WORD}){_PARTICLE} (?:{_WORD})(?: (?:{_WORD})){{0,2}}"
"""Two to four capitalised words; up to three initials or particles may follow the first."""
_NO_NAME: Final = (
    r"(?!(?:South|North|East|West|New|Native|African|Asian|Latin|Roman|Greek|Jewish|American|British|Chinese|Indian|The|Your|Not"
    r"|First|Last|Full|Customer|Senior|Junior|Chief|Data|Software|Machine|Artificial|Chat|Open|Spider|Iron|Bat|Super|Team|Dear)\b)"
)
_PEOPLE: Final = (
    r"wife|husband|partner|fiancée?|girlfriend|boyfriend|son|daughter|mother|father|mom|mum|dad|sister|brother|aunt|uncle|cousin"
    r"|niece|nephew|grandmother|grandfather|boss|manager|supervisor|colleague|coworker|co-worker|employee|client|patient|tenant"
    r"|landlord|landlady|neighbou?r|teacher|professor|student|doctor|therapist|lawyer|accountant|roommate|flatmate|friend|ex"
    r"|ex-wife|ex-husband|classmate"
)
_FIELDS: Final = (
    r"(?:full|legal|real|first and last|patient|client|tenant|applicant|customer|employee|guest|passenger|student|contact"
    r"|account|card|holder|cardholder|beneficiary|recipient|insured|sender|buyer|seller|candidate|witness|landlord) name"
    r"|patient|client|tenant|applicant|contact(?: person)?|emergency contact|next of kin|passenger|recipient|beneficiary"
    r"|card ?holder|account holder|policy ?holder|insured|attn|attention|ship to|bill to|deliver to|payee|claimant|defendant"
    r"|plaintiff|witness|landlord|signed(?: by)?|candidate|employee|sender"
)
NAME: Final = re.compile(
    rf"(?:(?i:\b(?:my|his|her|our) (?:[a-z']{{1,12}} ){{0,2}}name(?: is|'s|:)|\bi(?: am|['’]m) called|\bthey call me|\bi go by)"
    rf"|(?<=\n)(?i:name:)|^(?i:name:)) ?{_NO_NAME}{FULL}"
    r"|(?i:\bmy (?:full |real )?name is) (?!on |in |not |the |an? |very |so |too |spel|written|being |also |always |never |used)"
    r"[a-z]{2,15} [a-z]{2,15}(?=[.,;!\n]| and | i |$)"
    rf"|(?:\bI am|\bI['’]m|\b[Tt]his is|\b[Ii] am|\bIch bin|\bJe suis|\bSoy) {_NO_NAME}{FULL}"
    r"(?=[.,;!]|\n|$| \(| and | from | at | calling| speaking| of )"
    rf"|(?i:\b(?:ich heiße|mein name ist|je m['’]appelle|mon nom est|me llamo|mi nombre es|mi chiamo|meu nome é)) {FULL}"
    rf"|(?i:\bmy (?:{_PEOPLE})),?(?i: is| named| called|'s name is)? {_NO_NAME}{FULL}"
    rf"|(?i:(?<![a-z])(?:{_FIELDS}) ?:) ?(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?{_NO_NAME}{FULL}"
    r"|(?i:меня зовут|мо[её] имя|фио:?) [А-ЯЁ][а-яё]+ [А-ЯЁ][а-яё]+"
    r"|(?:اسمي|الاسم الكامل:?) [\u0600-\u06ff]+ [\u0600-\u06ff]+"
)
_ZH_PEOPLE: Final = (
    "老公|老婆|妻子|丈夫|爱人|儿子|女儿|爸爸?|妈妈?|父亲|母亲|哥哥?|姐姐?|弟弟?|妹妹?|同事|老板|领导|上司|朋友|闺蜜|室友|同学"
    "|老师|男友|女友|男朋友|女朋友|前任|前夫|前妻|邻居|经理|客户|员工|学生|导师|孩子|宝宝"
)
_ZH_FIELDS: Final = (
    "姓名|联系人|联络人|收件人|收货人|寄件人|发件人|患者|病人|客户|申请人|投诉人|当事人|被告人?|原告|甲方|乙方|出租方|承租方|房东|租客|承租人|出租人"
    "|借款人|出借人|持卡人|户名|开户名|法定代表人|法人|紧急联系人|负责人|经办人|签名|署名|签字|落款|辞职人|检讨人|保证人|承诺人|立据人|报告人|汇报人|写信人"
    "|委托人|受托人|被保险人|投保人|推荐人|证明人|监护人|家长|业主|学生|员工|应聘者|求职者|检举人|举报人|受害人|考生"
)
_TITLE: Final = r"(?:的|和|与|跟|是|先生|女士|小姐|太太|同学|老师|医生|经理|主任|总|男|女|今年|在|因|于|申请|向|自|住|身份|电话|手机)"
_NO_NAME_ZH: Final = (
    "(?!高[中一二三管]|文[科员盲]|单[身亲]|程序|金[牛融]|白[羊领人]|安[徽全]|江[苏西南]|华[人侨东]|马来|温州|常州|苏州|成[都年人]|房[东客]|车[主间]|于是|时"
    "|万|项|方|石油|钱|水|易|党|全|路[人过]|严|夏[天威]|司[机令]|黎|牛|龙的|柳州|武汉|任|和|明|向|左|右|管|包|别|关|毛|简|景|单|计|平|应|强|谷|曲|游|边|池"
    "|古|查|解|甘|薄|冉|祝|何[时人种等]|许[多久]|余|于|商|学|雷[人达])"
)
CHINESE_NAME: Final = re.compile(
    rf"(?:我(?:的名字|的姓名|本名|真名)?[叫是]|我的名字[是叫为]|我的姓名[是为]|本人姓名|本人叫?|真实姓名|名字[叫是])[: ]{{0,2}}"
    rf"(?:{LIKELY_NAME}(?:{END}|(?={_TITLE})))"
    rf"|(?:我叫|我的名字[是叫]|我的姓名[是为]|本人姓名[是为]?|真实姓名|姓名)[:是为 ]{{0,2}}{CHINESE}{END}"
    rf"|我是{_NO_NAME_ZH}{CHINESE}(?=[,。.!;、]|$|\n)|(?:我的?全名|本名|敝姓|免贵姓|我姓)[是叫: ]{{0,2}}[^\n。]{{0,6}}?{LIKELY_NAME}"
    rf"|(?:我的?|我们的?)(?:{_ZH_PEOPLE})(?:的名字)?(?:叫做?|是|名叫)?[: ,]{{0,2}}{LIKELY_NAME}(?:{END}|(?={_TITLE}))"
    rf"|(?:{_ZH_FIELDS})(?:姓名)? ?(?:[:是为(]| )[ )]{{0,2}}(?:签字|盖章)?[:]?{CHINESE}{END}"
    rf"|(?:患者|病人|客户|原告|被告|申请人|投诉人|借款人|租客|业主|房东|同学|学生|员工){LIKELY_NAME}(?:{END}|(?={_TITLE}))"
)

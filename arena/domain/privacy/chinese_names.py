"""Personal names in Chinese: a common surname and one or two characters, simplified or traditional."""

from __future__ import annotations

from typing import Final

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋"
    "蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔"
    "贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐沿梅莫庄辛管祝左涂谷祁"
    "时耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜"
    "简简褚池"
)
_DOUBLE: Final = "欧阳|司马|上官|诸葛|夏侯|皇甫|尉迟|公孙|慕容|令狐|司徒|东方|南宫|端木|长孙|宇文"
_HAN: Final = "\u4e00-\u9fff"
NAME: Final = rf"(?:(?:{_DOUBLE})[{_HAN}]{{1,2}}|[{''.join(dict.fromkeys(_SURNAMES))}][{_HAN}]{{1,2}})"
"""Pattern of a name, without a condition on the next character; add `END` for one."""
_GIVEN: Final = (
    "伟芳娜秀英敏静丽强磊军洋勇艳艷杰娟涛明超兰霞平刚桂玉萍红鹏辉华飞鑫波斌宇浩凯健俊帆雪梅琳玲婷慧莹燕云"
    "莉颖佳倩欣怡雨晨博文轩涵梓子紫若诗睿昊天泽嘉豪志建国庆春花凤珍淑贵福祥荣德义仁礼信忠良善美惠爱香月琴瑶璐瑾瑜珊"
    "珠宝丹彤形影晓晴昕旭阳东峰锋林森楠桐松柏柳荷莲菊薇蓉蕾萌苗芸芝芬芷菲萱蕊馨龙虎生成立海江河湖清源润洁冰泉洲凡帅康宁"
    "安泰永恒长胜利发财富启迪思学勤奋智聪睿哲贤达远航翔鸿鹤鸣乐欢悦朗亮光耀景尚伯仲叔季家启世绍承继宗祖耀"
    "一亦奕毅逸艺依伊妍妮姗娇媛嫣婉婕娅可心梦语言彦琦琪琰琛瑞祺祯婧茜茹苒菁萍蓓露霖霏雯雅韵秋冬夏昌盛兴旺全金银铭钰钧锐"
)
LIKELY_NAME: Final = (
    rf"(?:(?:{_DOUBLE})[{_HAN}]{{1,2}}"
    rf"|[{''.join(dict.fromkeys(_SURNAMES))}][{''.join(dict.fromkeys(_GIVEN))}]{{1,2}})"
)
"""A name whose given name has characters that are common in names; for places where other words are likely."""
END: Final = rf"(?![{_HAN}])"
"""End of a name: no Chinese character follows."""

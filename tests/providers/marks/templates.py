"""Answers as the chat templates and parsers of model families define them, with their marks left in.

Sources: the reasoning and tool parsers of vLLM and SGLang, the tags of Open WebUI, and the families' chat templates.
"""

from __future__ import annotations

from itertools import product
from typing import Final

CALL: Final = '{"name": "sum", "arguments": {"a": 17}}'
THOUGHTS: Final = (
    "We add 17 and 25. That is 42.",
    "Okay, the user asks for a sum.\n\nLet me compute: 17 + 25 = 42.",
    "用户问的是加法，17+25=42。",
    "I could write `x = 17 + 25`.\n```python\nprint(42)\n```\nDone.",
    "Hmm, <b>tricky</b> [1] a < b, is it?",
    "Wait, I should double-check: 17+25 is 42, so",
)
ANSWERS: Final = (
    "It is 42.",
    "42",
    "答案是四十二。",
    "Sure! Here it is:\n\n```python\nprint(17 + 25)\n```\n\nIt prints 42.",
    "- one\n- two\n- three",
    "**42** is the sum",
    "# Sum\n\n| a | b |\n|---|---|\n| 17 | 25 |",
    "a < b and c > d; see [1].",
    "好的，这是一首诗：\n\n春眠不觉晓，\n处处闻啼鸟。",
    '"Well," she said, "that\'s it."',
    "$x^2 < 4$ implies $|x| < 2$",
)
TAGS: Final = (
    *("think", "thinking", "thought", "Thought", "THINK", "seed:think", "mm:think", "think:hy", "antThinking"),
    *("antml:thinking", "reasoning", "reason", "reflection", "scratchpad", "inner_monologue"),
)
TAGGED: Final = (
    "<{tag}>{thought}</{tag}>{answer}",
    "<{tag}>\n{thought}\n</{tag}>\n\n{answer}<|im_end|>",
    "\ufeff<{tag} >\n{thought}\n\n</{tag}>\n{answer}<|endoftext|>",
    "< {tag} >\n{thought}\n</ {tag} >\n\n{answer}",
    "< {tag}>{thought}< / {tag} >{answer}",
    "&lt;{tag}&gt;{thought}&lt;/{tag}&gt;\n{answer}",
)
TEMPLATES: Final = {
    "mistral": "[THINK]{thought}[/THINK]{answer}</s>",
    "mistral, prefilled": "{thought}[/THINK]{answer}",
    "kimi": "◁think▷{thought}◁/think▷{answer}[EOS]",
    "deepseek": "<｜Assistant｜><think>\n{thought}\n</think>\n\n{answer}<｜end▁of▁sentence｜>",
    "deepseek, prefilled": "{thought}\n</think>\n\n{answer}",
    "qwen": "<|im_start|>assistant\n<think>\n{thought}\n</think>\n\n{answer}<|im_end|>",
    "qwen, not thinking": "<think>\n\n</think>\n\n{answer}",
    "glm": "\n<think>{thought}</think>\n{answer}<|user|>",
    "glm with a box": "<think>{thought}</think>\n<|begin_of_box|>{answer}<|end_of_box|>",
    "hunyuan": "<think>\n{thought}\n</think>\n<answer>\n{answer}\n</answer>",
    "ernie": "<think>{thought}</think>\n<response>\n{answer}\n</response>",
    "cohere": "<|START_THINKING|>{thought}<|END_THINKING|><|START_RESPONSE|>{answer}<|END_RESPONSE|>",
    "cohere, prefilled": "{thought}<|END_THINKING|><|START_TEXT|>{answer}<|END_TEXT|>",
    "harmony": (
        "<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>"
    ),
    "harmony with a form": (
        "<|channel|>analysis<|message|>{thought}<|end|>"
        "<|start|>assistant<|channel|>final <|constrain|>json<|message|>{answer}<|return|>"
    ),
    "harmony with a preamble": (
        "<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>commentary<|message|>Hm.<|end|>"
        "<|start|>assistant<|channel|>final<|message|>{answer}<|return|>"
    ),
    "harmony without its first mark": (
        "analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>"
    ),
    "harmony, prefilled": "{thought}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>",
    "muse": " to=self<|message|>{thought}<|eom|><|start|>assistant<|message|>{answer}<|eot|>",
    "solar": "<|think|>{thought}<|end|><|begin|>assistant<|content|>{answer}<|end|>",
    "apertus": "<|inner_prefix|>{thought}<|inner_suffix|>{answer}<|assistant_end|>",
    "inkling": (
        "<|content_thinking|>{thought}<|end_message|><|message_model|><|content_text|>{answer}<|end_message|>"
        "<|content_model_end_sampling|>"
    ),
    "kimi 3": (
        "<|open|>think<|sep|>{thought}<|close|>think<|sep|><|open|>response<|sep|>{answer}<|close|>response<|sep|>"
        "<|close|>message<|sep|><|end_of_msg|>"
    ),
    "kimi 3, prefilled": "{thought}<|close|>think<|sep|><|open|>response<|sep|>{answer}<|close|>response<|sep|>",
    "gemma 4": "<|channel>thought\n{thought}\n<channel|>{answer}<turn|>",
    "medgemma": "<unused94>thought\n{thought}<unused95>{answer}<end_of_turn>",
    "pangu": "[unused16]{thought}[unused17]{answer}[unused10]",
    "skywork": (
        "<|begin_of_thought|>\n{thought}\n<|end_of_thought|>\n\n<|begin_of_solution|>{answer}<|end_of_solution|>"
    ),
    "open webui": (
        '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> {thought}\n</details>\n'
        "{answer}"
    ),
    "llama 3": "<|start_header_id|>assistant<|end_header_id|>\n\n{answer}<|eot_id|>",
    "llama 2": "<s>{answer}</s>",
    "gemma": "<bos><start_of_turn>model\n{answer}<end_of_turn>\n<eos>",
    "phi": "<|assistant|>\n{answer}<|end|><|endoftext|>",
    "olmo": "<|endoftext|>{answer}<|endoftext|>",
    "baichuan": "<reserved_107>{answer}",
    "padding": "{answer}</s><pad><pad>",
    "a turn of the user": "{answer}<|im_end|>\n<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\nNo.",
    "minimax": "]~b]ai\n<think>\n{thought}\n</think>\n\n{answer}[e~[",
    "minimax, prefilled": "{thought}\n</think>\n\n{answer}[e~[\n]~b]user\nAnd now?[e~[\n]~b]ai\nNo.",
    "minimax, from the start": "]~!b[]~b]ai\n{answer}[e~[\n",
    "nemotron": "<SPECIAL_11>Assistant\n<think>\n{thought}\n</think>\n\n{answer}\n<SPECIAL_12>\n",
    "nemotron, not thinking": (
        "<think></think>{answer}<SPECIAL_12>\n<SPECIAL_11>User\nAnd now?\n<SPECIAL_11>Assistant\nNo."
    ),
    "granite": "Here is my thought process:\n\n{thought}\n\nHere is my response:\n\n{answer}",
    "granite in short": "Here's my thought process: {thought} Here's my response: {answer}",
    "escaped": "&lt;think&gt;\n{thought}\n&lt;/think&gt;\n\n{answer}",
    "escaped, prefilled": "{thought}\n&lt;/think&gt;\n\n{answer}&lt;|im_end|&gt;",
    "no marks": "{answer}",
}
"""Answers with reasoning, and without."""
CALLS: Final = {
    "cohere": "<|START_THINKING|>{thought}<|END_THINKING|><|START_ACTION|>[\n{call}\n]<|END_ACTION|>",
    "harmony": (
        "<|channel|>analysis<|message|>{thought}<|end|>"
        "<|start|>assistant<|channel|>commentary to=functions.sum <|constrain|>json<|message|>{call}<|call|>"
    ),
    "harmony with a recipient before the channel": (
        "<|channel|>analysis<|message|>{thought}<|end|>"
        "<|start|>assistant to=functions.sum<|channel|>commentary <|constrain|>json<|message|>{call}<|call|>"
    ),
    "apertus": "<|inner_prefix|>{thought}<|inner_suffix|><|tools_prefix|>[{call}]<|tools_suffix|>",
    "kimi 3": (
        "<|open|>think<|sep|>{thought}<|close|>think<|sep|><|open|>tools<|sep|><|open|>call tool=a<|sep|>"
        "<|close|>call<|sep|><|close|>tools<|sep|>"
    ),
    "kimi 2": "<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_end|><|tool_calls_section_end|>",
    "gemma 4": "<|channel>thought\n{thought}\n<channel|><|tool_call>call:sum{call}<tool_call|>",
    "llama 3": "<|python_tag|>{call}<|eom_id|>",
    "llama 3 with a tag": "<function=sum>{call}</function><|eom_id|>",
    "deepseek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>sum<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "deepseek 3.2": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="sum">\n<｜DSML｜parameter name="a" string="false">17'
        "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls><｜end▁of▁sentence｜>"
    ),
    "hermes": "<think>{thought}</think>\n\n<tool_call>\n{call}\n</tool_call>",
    "minimax": '<think>{thought}</think>\n<minimax:tool_call>\n<invoke name="sum">\n</invoke>\n</minimax:tool_call>',
    "mistral": "[TOOL_CALLS] [{call}]</s>",
    "mistral with arguments": "[TOOL_CALLS]sum[ARGS]{call}",
    "internlm": "<|action_start|><|plugin|>\n{call}<|action_end|>",
    "granite": "<|tool_call|>[{call}]",
    "jamba": "<tool_calls>[{call}]</tool_calls>",
    "nemotron": "<think>{thought}</think>\n<TOOLCALL>[{call}]</TOOLCALL><SPECIAL_12>",
    "minimax 3": (
        ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="sum">]<]minimax[>[</invoke>\n'
        "]<]minimax[>[</tool_call>[e~["
    ),
}
"""Answers that are tool calls and nothing else."""
SENTENCES: Final = (
    *("The model ends with {m}.", "It ends with {m}", "A sequence is closed by {m}, and then it stops."),
    *("{m} is the tag that it uses. END", "{m} marks the end; {n} marks the start.", "{m} and {n} enclose it."),
    *("Each turn ends with {m} or with {n}", "Use {m} and {n} to wrap it.", "We call {m} a control token."),
    *("- {m}: ends it\n- {n}: begins it", "1. {m} ends it\n2. {n} begins it", "{m} / {n} – a pair", "(see {m})"),
    *("| {m} | end |\n|---|---|\n| {n} | start |", '"{m}" is written at the end.', "Look at **{m}** here"),
    *("The string {m}{n} is odd.", "`{m}` ends it", "```\n{m}\n{n}\n```", "{m}, {n} and others are tokens."),
    *("{m}: the end", "{m} (end of turn)", "{m} – the end", "{m} = end of text", "Its end is {m}\n", "Is it {m}?"),
    *("Then comes {m}\nand then {n}\n", "结尾是 {m}", "用 {m} 和 {n} 包裹。", "{m} 表示结束，{n} 表示开始。"),
)
"""Sentences about marks."""
MARKS: Final = (
    *("<|im_end|>", "<|im_start|>", "</s>", "<s>", "<think>", "</think>", "<|eot_id|>", "<|endoftext|>", "[THINK]"),
    *("<end_of_turn>", "[INST]", "[/INST]", "<bos>", "<eos>", "<pad>", "<|channel|>", "<|message|>", "<|start|>"),
    *("<tool_call>", "</tool_call>", "[TOOL_CALLS]", "◁think▷", "<｜User｜>", "<｜end▁of▁sentence｜>", "<reasoning>"),
    *("</reasoning>", "<answer>", "<unused94>", "[EOS]", "[unused16]", "<function=f>", "<|open|>", "<seed:think>"),
    *(
        "[e~[",
        "]~b]",
        "]~!b[",
        "<SPECIAL_12>",
        "<SPECIAL_11>",
        "< think >",
        "</ think >",
        "&lt;think&gt;",
        "&lt;/think&gt;",
    ),
)


def answers() -> dict[str, str]:
    """The templates of answers by name."""
    tagged = {f"{form} {tag}": form.replace("{tag}", tag) for form, tag in product(TAGGED, TAGS)}
    return tagged | TEMPLATES

"""Configurations: what a model is asked, and the digest that identifies it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from arena.evaluations.domain.configurations import ConfigurationSettingsView, digest


def test_a_template_has_the_place_of_the_prompt_once():
    settings = ConfigurationSettingsView(template="Briefly: {prompt}!")
    assert settings.prompt("{prompt} {0}") == "Briefly: {prompt} {0}!"
    assert ConfigurationSettingsView().prompt("as it is") == "as it is"
    for template in ("", "no place", "{prompt} {prompt}"):
        with pytest.raises(ValidationError, match="template"):
            ConfigurationSettingsView(template=template)


def test_the_digest_follows_name_model_and_each_setting_that_is_set():
    plain = ConfigurationSettingsView()
    assert digest("n", "m", plain) == digest("n", "m", ConfigurationSettingsView(system_prompt=None))
    others = [{"temperature": 0}, {"top_p": 0.5}, {"max_tokens": 1}, {"system_prompt": ""}, {"template": "{prompt}"}]
    changes = [digest("n", "m", ConfigurationSettingsView.model_validate(other)) for other in others]
    assert len({digest("n", "m", plain), digest("m", "n", plain), *changes}) == 7


def test_the_digest_can_be_computed_by_hand():
    """`printf '{"model":"m","name":"n","temperature":0.5}' | sha256sum`."""
    settings = ConfigurationSettingsView(temperature=0.5)
    assert digest("n", "m", settings) == "0bcac79e80ea043d303ff847ce21d6c7126b90592cfa46802602004ced371b0f"

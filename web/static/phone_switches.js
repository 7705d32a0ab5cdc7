"use strict";
/* The switches of this phone: its sounds, and a screen that stays on. */

(() => {
  const sound = window.tableSound;
  const awake = window.screenAwake;
  const switchOf = (button) => (button.id === "phone-sound" ? sound : awake);
  const buttons = () => document.querySelectorAll(".phone-switch");
  const show = () => {
    for (const button of buttons()) {
      button.closest("[hidden]")?.toggleAttribute("hidden", switchOf(button).isOffered === false);
      button.ariaPressed = String(switchOf(button).isOn);
    }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".phone-switch");
    if (!button) return;
    const one = switchOf(button);
    sound.wake();
    one.isOn = !one.isOn;
    if (one === sound) sound.play("turn");
    show();
  });
  addEventListener("companion:shown", show);
  show();
})();

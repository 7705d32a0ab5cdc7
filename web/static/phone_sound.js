"use strict";
/* The switch for this phone's sounds. */

(() => {
  const button = document.getElementById("phone-sound");
  const sound = window.tableSound;
  if (!button) return;
  const show = () => {
    button.hidden = false;
    button.ariaPressed = String(sound.isOn);
  };
  button.addEventListener("click", () => {
    sound.wake();
    sound.isOn = !sound.isOn;
    sound.play("turn");
    show();
  });
  addEventListener("companion:shown", show);
  show();
})();

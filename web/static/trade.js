"use strict";
/* The trade sheet: quick amounts are added to what is in the field, and an offer can be
   sent only once the server has said what that very offer would do. Every change is told
   to panel.js, which asks the server. Without this file the same buttons load the page
   again. */

(() => {
  const plain = (text) => text.replace(/[ ,$£€]/g, "");

  /* What a form would trade as one normalised line, so that two forms can be compared. */
  const traded = (form) =>
    [...new FormData(form)]
      .filter(([name]) => /^(give|want)-/.test(name))
      .map(([name, value]) => [name, name.endsWith("-cash") ? plain(value) : value])
      .filter(([, value]) => value && Number(value) !== 0)
      .map((pair) => pair.join("="))
      .sort()
      .join("&");

  const check = () => {
    const sheet = document.querySelector("#sheet");
    const sending = document.querySelector("#confirm form");
    const button = sending?.querySelector("button");
    if (sheet && button) button.disabled = traded(sheet) !== traded(sending);
  };

  document.addEventListener("click", (event) => {
    const chip = event.target.closest(".money-chip");
    if (!chip) return;
    event.preventDefault();
    const field = chip.form.elements[`${chip.name.replace("add-", "")}-cash`];
    field.value = String((Number(plain(field.value)) || 0) + Number(chip.value));
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("input", check);
  document.addEventListener("htmx:oobAfterSwap", check);
  check();
})();

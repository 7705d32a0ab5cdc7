"use strict";
/* The trade sheet: quick amounts are laid on top of what stands in the field, and an
   offer is sent only once the table has said what comes of just that offer. Every
   change is told to panel.js, which asks. Without this file the same buttons ask the
   table for the page. */

(() => {
  const plain = (text) => text.replace(/[ ,$£€]/g, "");

  /* What a form would trade, in one line, however it is written. */
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

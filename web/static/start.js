"use strict";
/* Sends the first-run code as soon as all its digits are typed, however they are spaced;
   without this script there is the button. */

(() => {
  const code = document.querySelector("[data-digits]");
  const wanted = Number(code.dataset.digits);
  let isSent = false;

  code.addEventListener("input", () => {
    const [digits, others] = [/\p{Nd}/gu, /[^\p{Nd}\p{Cf}\s]/u].map((x) => code.value.match(x) ?? []);
    if (isSent || digits.length !== wanted || others.length) return;
    code.form.querySelector("button").click();
  });

  code.form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault(); // The button or Enter, after the last digit did it.
    isSent = true;
  });

  addEventListener("pageshow", () => {
    isSent = false; // Somebody came back.
  });
})();

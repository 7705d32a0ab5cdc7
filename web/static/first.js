/* Stands in every page and runs before all else, in the oldest syntax: a page becomes one
   with script only once all of it has come and run. Until then it works without script;
   where a part is lost, blocked or too new for the browser, the page is loaded again,
   and says so if that does not help. The table's screen goes on trying for ever.
   On <html>, with-script says that they may still come, has-script that they have run. */
(function () {
  "use strict";
  var PATIENCE_MS = 15000;
  var TRIES_MS = [1000, 4000]; // Before the page is loaded again.
  var SCREEN_MS = 15000; // From then on, for the table's screen only.
  var KEY = "loaded again " + location.pathname;
  var root = document.documentElement;
  var OURS = /\/static\/(?:.*\/)?([^\/?]+)/; // Browsers and their helpers bring scripts of their own.
  var missing = "";
  var isTyped = false;
  var isReady = false;

  function remember(tries) {
    try {
      if (tries) sessionStorage.setItem(KEY, tries);
      else sessionStorage.removeItem(KEY);
      return true;
    } catch (refused) {
      return false; // Private mode: then nobody would know when to stop.
    }
  }

  function triesBefore() {
    try {
      return Number(sessionStorage.getItem(KEY));
    } catch (refused) {
      return TRIES_MS.length;
    }
  }

  function say() {
    var words = document.getElementById("unready");
    if (!words) return;
    words.hidden = isReady;
    words.getElementsByTagName("small")[0].textContent = missing;
    words.getElementsByTagName("button")[0].onclick = function () { location.reload(); };
  }

  function isScreen() {
    return document.body && /\bscreen\b/.test(document.body.className);
  }

  /* Only what answers is loaded: a browser's own error page would never come back. */
  function loadAgain(tries) {
    var asked = new XMLHttpRequest();
    asked.onreadystatechange = function () {
      if (asked.readyState !== 4 || isReady || isTyped) return;
      if (asked.status !== 200 || asked.responseText.indexOf("id=\"whole\"") < 0) setTimeout(function () { loadAgain(tries); }, SCREEN_MS);
      else if (remember(tries) || isScreen()) location.reload();
    };
    asked.open("GET", location.href);
    asked.send();
    setTimeout(function () { asked.abort(); }, PATIENCE_MS);
  }

  /* Older browsers also lack other things that the scripts need, and do not say so. */
  function isOld() {
    return !window.CSS || !CSS.supports || !CSS.supports("selector(:focus-visible)");
  }

  function fail() {
    var tries = isOld() ? TRIES_MS.length : triesBefore();
    var isAnswer = document.body && !document.body.getAttribute("data-again");
    var waitMs = TRIES_MS[tries] || SCREEN_MS;
    root.className = root.className.replace("with-script", "");
    if (tries >= TRIES_MS.length) say();
    if (isAnswer || (tries >= TRIES_MS.length && !isScreen())) return;
    setTimeout(function () {
      if (!isReady && !isTyped) loadAgain(Math.min(tries + 1, TRIES_MS.length));
    }, waitMs);
  }

  function settle() {
    var ready;
    if (!missing && !document.getElementById("whole")) missing = location.pathname;
    if (!missing && isOld()) missing = navigator.userAgent;
    if (missing) {
      fail();
      return;
    }
    isReady = true;
    remember(0);
    say();
    root.className += " with-script has-script";
    ready = document.createEvent("Event");
    ready.initEvent("companion:ready", false, false);
    window.dispatchEvent(ready);
  }

  root.className += " with-script";
  window.addEventListener("error", function (event) {
    var ours = OURS.exec(event.target.tagName === "SCRIPT" ? event.target.src : event.filename);
    if (ours && !isReady && !missing) missing = ours[1];
  }, true);
  document.addEventListener("input", function () { isTyped = true; });
  document.addEventListener("DOMContentLoaded", settle);
  setTimeout(function () { if (!isReady && !missing) fail(); }, PATIENCE_MS);
})();

"use strict";
// The running timer. Without scripts, its buttons are plain forms.
(() => {
  // Counts up from the server's value, because the browser's clock may differ.
  const began = new WeakMap();
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    for (const timer of document.querySelectorAll("[data-seconds]")) {
      if (!began.has(timer)) began.set(timer, Date.now() - Number(timer.dataset.seconds) * 1000);
      const seconds = Math.max(0, Math.floor((Date.now() - began.get(timer)) / 1000));
      timer.textContent = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    }
  };
  setInterval(tick, 1000);
  document.addEventListener("htmx:load", tick);

  // On the page of the record for which the timer runs, the button stops it.
  const showButton = () => {
    const running = document.querySelector("#timer [data-timer-on]")?.dataset.timerOn;
    for (const start of document.querySelectorAll("form[data-timer-of]")) {
      const stop = start.nextElementSibling;
      const isRunning = start.dataset.timerOf === running;
      const [shown, other] = isRunning ? [stop, start] : [start, stop];
      const hasFocus = other.contains(document.activeElement);
      start.hidden = isRunning;
      stop.hidden = !isRunning;
      if (hasFocus) (shown.querySelector("button") ?? shown).focus();
    }
  };
  document.addEventListener("htmx:load", showButton);
})();

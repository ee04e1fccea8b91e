"use strict";
// Plays the runs of this page: a state is a row, and one of them is marked. After the last step of a loop comes its first.
for (const run of document.querySelectorAll(".run")) {
  const rows = [...run.querySelectorAll(".states tr")];
  const player = run.querySelector(".player");
  const slider = player.querySelector("input");
  const play = player.querySelector("[data-do=play]");
  const now = run.querySelector(".now");
  const entry = "loop" in run.dataset ? Number(run.dataset.loop) : null;
  let at = 0;
  let timer = null;

  const show = (step) => {
    rows[at].classList.remove("current");
    at = Math.max(0, Math.min(step, rows.length - 1));
    rows[at].classList.add("current");
    slider.value = String(at);
    player.querySelector("output").textContent = `${at} of ${rows.length - 1}`;
    const [, label, changes] = rows[at].children;
    now.textContent = at === 0 ? "The start." : `${label.textContent}: ${changes.textContent || "nothing changes"}`;
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-label", "Play");
  };
  const on = () => {
    if (at < rows.length - 1) show(at + 1);
    else if (entry !== null) show(entry + 1);
    else stop();
  };
  const start = () => {
    if (at === rows.length - 1 && entry === null) show(0);
    play.textContent = "Pause";
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(on, 700);
  };
  const actions = {
    first: () => show(0),
    back: () => show(at - 1),
    on,
    play: () => (timer === null ? start() : stop()),
  };
  player.addEventListener("click", (event) => {
    const name = event.target.dataset.do;
    if (name && name !== "play") stop();
    actions[name]?.();
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });
  for (const row of rows) row.addEventListener("click", () => show(Number(row.dataset.step)));
  player.hidden = false;
  now.hidden = false;
  show(0);
}

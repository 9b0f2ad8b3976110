// What happens when the page is there.

document.documentElement.classList.add("scripted");
startGraphs();
curve.start();
gantt.start();
startCourses();
sliders.start();
window.addEventListener("beforeprint", () => {
  for (const view of graphViews) view.fit();
  for (const box of document.querySelectorAll("details")) box.open = true;
});

// Redirect links to figures and lectures, such as #esrf-mask, to the page of the lecture.
{
  const leadOn = () => {
    const moved = document.getElementById(location.hash.slice(1))?.closest(".moved");
    if (moved) location.replace(moved.querySelector("a").href);
  };
  addEventListener("hashchange", leadOn);
  leadOn();
}

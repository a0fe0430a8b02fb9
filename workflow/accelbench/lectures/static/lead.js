// Figures used to be on this page. Redirect an old link to a figure to the page of its lecture.
{
  const leadOn = () => {
    const moved = document.getElementById(location.hash.slice(1))?.closest(".moved");
    if (moved) location.replace(moved.querySelector("a").href);
  };
  addEventListener("hashchange", leadOn);
  leadOn();
}

// Figures used to be on this page. Redirect old links with a fragment to the lecture's page.
{
  const leadOn = () => {
    const moved = document.getElementById(location.hash.slice(1))?.closest(".moved");
    if (moved) location.replace(moved.querySelector("a").href);
  };
  addEventListener("hashchange", leadOn);
  leadOn();
}

// Figures stood on this page before each lecture had its own: what led to one leads on to where it is now.
{
  const leadOn = () => {
    const moved = document.getElementById(location.hash.slice(1))?.closest(".moved");
    if (moved) location.replace(moved.querySelector("a").href);
  };
  addEventListener("hashchange", leadOn);
  leadOn();
}

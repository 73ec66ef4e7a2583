/** Highlights an element with `data-flash` briefly when a text in it changes. */
export function flashChanges() {
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.parentElement?.closest("[data-flash]");
      element?.setAttribute("data-flash", "on");
      const off = () => element?.setAttribute("data-flash", "");
      element?.addEventListener("animationend", off, { once: true });
    }
  });
  observer.observe(document.body, { characterData: true, subtree: true });
}

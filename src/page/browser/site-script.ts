// The script that the developer's site loads: `/_svc/site.js`, at most 1,024 bytes (H47). It does nothing
// until the preview page, whose origin it has from its own address, has spoken to it from around its frame.
const { origin } = new URL((document.currentScript as HTMLScriptElement).src);
const page = window.parent;
const post = (type: string, at?: string) => page.postMessage({ type, at }, origin);
const marked = (target: EventTarget | Element | null) =>
  (target as Element | null)?.closest<HTMLElement>("[data-svc]");
let isShown = false;
let outlined: HTMLElement | undefined;

if (page !== window) {
  addEventListener("message", ({ data, origin: from, source }) => {
    if (from !== origin || source !== page) return;
    isShown = true;
    if (data.type === "svc:changed") {
      post("svc:hello");
      // A site that can refresh itself says so by preventing the default, and is not loaded again.
      if (dispatchEvent(new Event("svc:change", { cancelable: true }))) location.reload();
    }
    if (data.type === "svc:outline") {
      if (outlined) outlined.style.outline = "";
      outlined = undefined;
      // The element of the field, or of the nearest value around it.
      for (let { at } = data; at && !outlined; at = at.replace(/\/?[^/]*$/, "")) {
        outlined =
          document.querySelector<HTMLElement>(`[data-svc="${CSS.escape(at)}"]`) ?? undefined;
      }
      if (outlined) outlined.style.outline = "3px solid #2563eb";
      outlined?.scrollIntoView({ block: "nearest" });
    }
  });
  addEventListener(
    "click",
    (event) => {
      const element = marked(event.target);
      if (!isShown || !element || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = event.altKey && (event.target as Element).closest("a");
      if (event.altKey && !link) return;
      event.preventDefault();
      event.stopPropagation();
      if (link) location.href = link.href;
      else post("svc:open", element.dataset.svc);
    },
    true,
  );
  post("svc:hello");
}

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Says once when the element comes near the part of the page that is seen. */
export class WhenVisible implements ReactiveController {
  /** Whether it has been seen. */
  seen = false;
  #observer: IntersectionObserver | undefined;

  constructor(
    private readonly element: ReactiveControllerHost & Element,
    private readonly then: () => void,
  ) {
    element.addController(this);
  }

  hostConnected(): void {
    if (this.seen) return;
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.seen = true;
        this.#observer?.disconnect();
        this.then();
      },
      { rootMargin: "160px" },
    );
    this.#observer.observe(this.element);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }
}

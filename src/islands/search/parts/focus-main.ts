/** Moves the focus to the results, because the pressed button is about to disappear. */
export function focusMain(button: Element): void {
  button.closest('.search-screen')?.querySelector<HTMLElement>('.search-main')?.focus({ preventScroll: true })
}

/** To where the results come, from a button there that goes as soon as it is pressed. */
export function focusMain(button: Element): void {
  button.closest('.search-screen')?.querySelector<HTMLElement>('.search-main')?.focus({ preventScroll: true })
}

/** Focuses the card of the subscription with the id `planId`, because the button that had the focus has disappeared. */
export function focusCard(planId: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-plan]')]
  cards.find((card) => card.dataset['plan'] === planId)?.focus()
}

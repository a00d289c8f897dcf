/** Focuses the card of a plan, after an action whose button disappears. */
export function focusCard(planId: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-plan]')]
  cards.find((card) => card.dataset['plan'] === planId)?.focus()
}

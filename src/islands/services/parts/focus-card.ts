/** Leads the focus to the card of a plan: for a press whose button is gone once it is done. */
export function focusCard(planId: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-plan]')]
  cards.find((card) => card.dataset['plan'] === planId)?.focus()
}

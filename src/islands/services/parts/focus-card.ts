/** Focuses the card of a subscription. Used when the button that had the focus disappears. */
export function focusCard(subscriptionId: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-plan]')]
  cards.find((card) => card.dataset['plan'] === subscriptionId)?.focus()
}

/**
 * Focuses the card of the subscription with the id `subscriptionId`, because the button that had the focus has
 * disappeared.
 */
export function focusCard(subscriptionId: string): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-plan]')]
  cards.find((card) => card.dataset['plan'] === subscriptionId)?.focus()
}

import '../session/api-client.ts'
import { $isNoServices, $subscriptions, loadSubscriptions } from '../../stores/billing/subscriptions.ts'

/** Shows `Explore plans` once the server has confirmed that this account has no plan (OPEN-36). */
export async function showPlansButton(): Promise<void> {
  const button = document.querySelector<HTMLElement>('[data-plans]')
  if (!button) return
  await loadSubscriptions()
  if ($subscriptions.get().state === 'ready') button.hidden = !$isNoServices.get()
}

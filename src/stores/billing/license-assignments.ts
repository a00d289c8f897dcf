import { atom, computed } from 'nanostores'
import { batchGetBindings, BINDINGS_MAX, type Binding } from '../../../contract/billing/licenses.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { request } from '../../api/api-client.ts'
import { remainingLicenses } from '../../domain/billing/license-counts.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { $subscriptions, loadSubscriptions } from './subscriptions.ts'

export type LicenseAssignmentsState =
  | { state: 'loading' }
  | { state: 'ready'; bindings: ReadonlyMap<string, Binding> }
  | { state: 'failed'; failure: Failure }

/** License assignments by camera id. */
export const $licenseAssignments = atom<LicenseAssignmentsState>({ state: 'loading' })

const ASSIGNMENTS_FAILED_TEXT = 'We couldn’t load the plan that covers this camera. Try again shortly.'

/**
 * Loads the license assignments of these cameras, and starts to load the subscriptions. Loaded values stay until the
 * response arrives.
 */
export async function loadLicenseAssignments(deviceIds: readonly string[]): Promise<void> {
  void loadSubscriptions()
  const responses = await Promise.all(
    chunkList(deviceIds, BINDINGS_MAX).map((device_macs) =>
      withFailureShown('place', request(batchGetBindings, { device_macs }), ASSIGNMENTS_FAILED_TEXT),
    ),
  )
  const bindings = responses.flatMap((answer) => (answer.ok ? answer.data.bindings : []))
  const failure = responses.find((answer) => !answer.ok)
  if (failure) $licenseAssignments.set({ state: 'failed', failure })
  else
    $licenseAssignments.set({
      state: 'ready',
      bindings: new Map(bindings.map((binding) => [binding.device_mac, binding])),
    })
}

const $loadedSubscriptions = computed($subscriptions, (subs): readonly Subscription[] =>
  subs.state === 'ready' ? subs.subscriptions : [],
)

/**
 * Running subscriptions with licenses that are neither assigned nor scheduled for removal, and the number of these
 * licenses. Empty until the assignments have loaded.
 */
export const $subscriptionsWithUnusedLicenses = computed(
  [$loadedSubscriptions, $licenseAssignments],
  (subs, bindings) => {
    if (bindings.state !== 'ready') return []
    const assignments = [...bindings.bindings.values()]
    return subs
      .filter(({ running }) => running)
      .flatMap((subscription) => {
        const used = assignments.filter(({ bound_to }) => bound_to === subscription.subscription_id).length
        const unused = getPlan(subscription.sku).per === 'camera' ? remainingLicenses(subscription) - used : 0
        return unused > 0 ? [{ subscription, unused }] : []
      })
  },
)

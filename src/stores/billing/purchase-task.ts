import { getPurchaseTask } from '../../../contract/billing/purchase.ts'
import { request } from '../../api/api-client.ts'
import { getTaskPollDelayMs } from '../../domain/billing/task-poll-delay.ts'
import { deletePurchaseTask, readPurchaseTask, updateCheckout } from './checkout-state.ts'
import { finishPurchase, handleRejectedPurchase } from './submit-purchase.ts'

let latestPoll = 0

/** Latest progress that the server reported. A failed poll does not reset the progress. */
interface PendingTask {
  readonly step: 'asked' | 'authorised' | 'charged'
  readonly action_url?: string | undefined
}

/**
 * Polls the task of this tab's unfinished purchase, if there is one. Called after the purchase, after a reload, and
 * when the user resumes polling.
 */
export async function resumePurchaseTask(): Promise<void> {
  const task = readPurchaseTask()
  if (!task) return
  const pollNumber = ++latestPoll
  const startedAt = Date.now()
  const { processId: process_id, begunAt } = task
  updateCheckout({ payment: { state: 'task', begunAt, step: 'asked', isLong: false, actionUrl: null } })
  let pending: PendingTask = { step: 'asked' }
  while (pollNumber === latestPoll) {
    // A failed poll shows no error, because the next poll retries.
    const response = await request(getPurchaseTask, { process_id })
    if (pollNumber !== latestPoll) return
    if (response.ok && response.data.state === 'done') return finishPurchase(response.data.order)
    if (response.ok && response.data.state === 'failed') {
      deletePurchaseTask()
      const { code, msg } = response.data
      return handleRejectedPurchase({ ok: false, code, msg, kind: 'ERR_BAD_REQUEST', status: 400 })
    }
    const waitMs = getTaskPollDelayMs(Date.now() - startedAt)
    if (response.ok && response.data.state === 'pending') pending = response.data
    const { step, action_url: actionUrl = null } = pending
    updateCheckout({ payment: { state: 'task', begunAt, step, isLong: waitMs === null, actionUrl } })
    if (waitMs === null) return
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Stops polling. The task continues on the server, and a later visit resumes polling. */
export const stopPollingPurchaseTask = (): void => void latestPoll++

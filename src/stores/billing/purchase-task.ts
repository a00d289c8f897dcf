import { processTask } from '../../../contract/billing/purchase.ts'
import { request } from '../../api/api-client.ts'
import { taskWait } from '../../domain/billing/task-poll-delay.ts'
import { deleteTask, readTask, update } from './checkout-state.ts'
import { finishPurchase, refusedPurchase } from './submit-purchase.ts'

let turn = 0

/** Progress that the server reported last. A failed poll does not reset it. */
interface Pending {
  readonly step: 'asked' | 'authorised' | 'charged'
  readonly action_url?: string | undefined
}

/**
 * Polls the task of this tab's unfinished purchase, if there is one: after the purchase, after a reload, and when the
 * user resumes polling.
 */
export async function resumeTask(): Promise<void> {
  const task = readTask()
  if (!task) return
  const mine = ++turn
  const from = Date.now()
  const { processId: process_id, begunAt } = task
  update({ payment: { state: 'task', begunAt, step: 'asked', isLong: false, actionUrl: null } })
  let pending: Pending = { step: 'asked' }
  while (mine === turn) {
    // A failed poll is silent: the next one retries.
    const answer = await request(processTask, { process_id })
    if (mine !== turn) return
    if (answer.ok && answer.data.state === 'done') return finishPurchase(answer.data.order)
    if (answer.ok && answer.data.state === 'failed') {
      deleteTask()
      const { code, msg } = answer.data
      return refusedPurchase({ ok: false, code, msg, kind: 'ERR_BAD_REQUEST', status: 400 })
    }
    const wait = taskWait(Date.now() - from)
    if (answer.ok && answer.data.state === 'pending') pending = answer.data
    const { step, action_url: actionUrl = null } = pending
    update({ payment: { state: 'task', begunAt, step, isLong: wait === null, actionUrl } })
    if (wait === null) return
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** Stops polling when the page is left: the task continues, and a later visit finds it. */
export const leaveTask = (): void => void turn++

import { processTask } from '../../../contract/purchase.ts'
import { request } from '../../api/client.ts'
import { taskWait } from '../../domain/task-pace.ts'
import { forgetTask, readTask, update } from './checkout-state.ts'
import { finish, refusedPurchase } from './pay.ts'

let turn = 0

/**
 * Follows the purchase that this tab has begun and that runs on, if there is one: after a reload, and when a person asks
 * again for one that is not asked about any more.
 */
export async function resumeTask(): Promise<void> {
  const task = readTask()
  if (!task) return
  const mine = ++turn
  const from = Date.now()
  const { processId: process_id, begunAt } = task
  update({ payment: { state: 'task', begunAt, step: 'asked', isLong: false } })
  while (mine === turn) {
    // A poll is told nowhere: the next one asks again.
    const answer = await request(processTask, { process_id })
    if (mine !== turn) return
    if (answer.ok && answer.data.state === 'done') return finish(answer.data.order)
    if (answer.ok && answer.data.state === 'failed') {
      forgetTask()
      const { code, msg } = answer.data
      return refusedPurchase({ ok: false, code, msg, kind: 'ERR_BAD_REQUEST', status: 400 })
    }
    const wait = taskWait(Date.now() - from)
    const step = answer.ok && answer.data.state === 'pending' ? answer.data.step : 'asked'
    update({ payment: { state: 'task', begunAt, step, isLong: wait === null } })
    if (wait === null) return
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** The page that asked is left: the task runs on, and whoever comes back finds it. */
export const leaveTask = (): void => void turn++

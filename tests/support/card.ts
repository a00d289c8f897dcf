import type { Env } from '../../provider/env.ts'
import type { Gateway } from '../../provider/billing/payment/gateway-interface.ts'
import { selectGateway } from '../../provider/billing/payment/select-gateway.ts'
import type { Stage } from './harness.ts'
import { readReturnProof, typeCard } from './card-form.ts'
import type { Visitor } from './visitor.ts'

/** Returns the gateway of a stage as the ledger uses it. Throws if the stage has none. */
export async function gatewayIn(stage: Stage): Promise<Gateway> {
  const gateway = selectGateway((await stage.provider.getWorker().getEnv()) as Env)
  if (gateway === null) throw new Error('This stage has no gateway.')
  return gateway
}

export async function createCardToken(
  stage: Stage,
  visitor: Visitor,
  account: string,
  number: string,
): Promise<string> {
  const gateway = await gatewayIn(stage)
  const { session, url } = await gateway.openCardPage(account, { email: 'a@example.com', lines: [] }, Date.now())
  const back = await typeCard(visitor, url, { number, code: number.startsWith('37') ? '1234' : '123' })
  const method = await gateway.claimMethod(account, session, readReturnProof(back), Date.now())
  if (method === null || method === 'unproven') throw new Error(`${number} was not saved.`)
  return method.token
}

import type { Env } from '../../provider/env.ts'
import type { PaymentGateway } from '../../provider/billing/payment/gateway-interface.ts'
import { selectGateway } from '../../provider/billing/payment/select-gateway.ts'
import type { TestDeployment } from './harness.ts'
import { readReturnProof, saveCardOnPage } from './card-form.ts'
import type { Visitor } from './visitor.ts'

/** Returns the payment gateway of a test deployment. Throws if the deployment has none. */
export async function getGateway(deployment: TestDeployment): Promise<PaymentGateway> {
  const gateway = selectGateway((await deployment.provider.getWorker().getEnv()) as Env)
  if (gateway === null) throw new Error('This stage has no gateway.')
  return gateway
}

export async function createCardToken(
  deployment: TestDeployment,
  visitor: Visitor,
  account: string,
  number: string,
): Promise<string> {
  const gateway = await getGateway(deployment)
  const { session, url } = await gateway.openCardPage(account, { email: 'a@example.com', lines: [] }, Date.now())
  const cardResponse = await saveCardOnPage(visitor, url, { number, code: number.startsWith('37') ? '1234' : '123' })
  const method = await gateway.claimMethod(account, session, readReturnProof(cardResponse), Date.now())
  if (method === null || method === 'unproven') throw new Error(`${number} was not saved.`)
  return method.token
}

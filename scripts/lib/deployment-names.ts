import type { WorkerName } from '../../contract/environment.ts'

export interface DeploymentNames {
  readonly workers: Readonly<Record<WorkerName, string>>
  readonly database: string
  readonly bucket: string
}

export const DEFAULT_NAME = 'porchlight'
const NAME_MAX = 30
/**
 * Hyphens are not allowed, so that no name can equal a store of another deployment's preview, such as the database
 * `NAME-BRANCH`.
 */
const NAME = new RegExp(`^[a-z][a-z0-9]{1,${NAME_MAX - 1}}$`)

/** Returns the name of a deployment and its previews, from `DEPLOYMENT_NAME`. */
export const deploymentName = (env: Partial<Record<string, string>>): string => env['DEPLOYMENT_NAME'] || DEFAULT_NAME

/** Returns the reason why a name is invalid, as a sentence without its subject; null if the name is valid. */
export const nameProblem = (name: string): string | null =>
  NAME.test(name)
    ? null
    : `is not a name of 2 to ${NAME_MAX} small letters and digits that starts with a letter, such as acme.`

export const deriveWorkerNames = (name: string): DeploymentNames['workers'] => ({
  portal: `${name}-portal`,
  provider: `${name}-provider`,
})

export const deriveDeploymentNames = (name: string): DeploymentNames => ({
  workers: deriveWorkerNames(name),
  database: name,
  bucket: `${name}-media`,
})

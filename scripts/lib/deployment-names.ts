import type { WorkerName } from '../../contract/environment.ts'

export interface DeploymentNames {
  readonly workers: Readonly<Record<WorkerName, string>>
  readonly database: string
  readonly bucket: string
}

export const DEFAULT_DEPLOYMENT_NAME = 'porchlight'
const NAME_MAX_LENGTH = 30
/**
 * Hyphens are not allowed: a name with a hyphen could equal the name of another deployment's preview store, such as the
 * database `NAME-BRANCH`.
 */
const NAME_PATTERN = new RegExp(`^[a-z][a-z0-9]{1,${NAME_MAX_LENGTH - 1}}$`)

/** Returns `DEPLOYMENT_NAME`, or the default name if the variable is missing or empty. */
export const getDeploymentName = (env: Partial<Record<string, string>>): string =>
  env['DEPLOYMENT_NAME'] || DEFAULT_DEPLOYMENT_NAME

/** Returns the reason why a name is invalid, as a sentence without its subject; null if the name is valid. */
export const findNameProblem = (name: string): string | null =>
  NAME_PATTERN.test(name)
    ? null
    : `isn't a valid name. Use 2 to ${NAME_MAX_LENGTH} lowercase letters and digits, and start with a letter. Example: acme.`

export const deriveWorkerNames = (name: string): DeploymentNames['workers'] => ({
  portal: `${name}-portal`,
  provider: `${name}-provider`,
})

export const deriveDeploymentNames = (name: string): DeploymentNames => ({
  workers: deriveWorkerNames(name),
  database: name,
  bucket: `${name}-media`,
})

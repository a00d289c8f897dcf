import { expect, test } from 'vitest'
import { isJurisdictionSetting, restrictNamespace } from '../../../contract/jurisdiction.ts'

interface Namespace {
  readonly label: string
  jurisdiction(name: string): Namespace
}
const createNamespace = (label: string): Namespace => ({ label, jurisdiction: createNamespace })
const getLabel = (setting: string | undefined) => restrictNamespace(createNamespace('everywhere'), setting).label

test('a namespace is in the jurisdiction of the setting, and unchanged without one', () => {
  expect([undefined, '', 'eu'].map(getLabel)).toEqual(['everywhere', 'everywhere', 'eu'])
})

test('the setting accepts only supported jurisdictions', () => {
  expect([undefined, '', 'eu', 'EU', 'us', 'fedramp'].map(isJurisdictionSetting)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

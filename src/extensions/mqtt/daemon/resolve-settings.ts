import { readFileSync } from 'node:fs';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import type { MqttFileSettings } from '../config/settings-group.ts';
import {
  type MqttSettingName,
  type MqttSettings,
  maxPemLength,
  mqttSettingList,
} from '../core/mqtt-settings.ts';

/** The settings of the configuration file, which win over those of the page. */
export interface FileSettings {
  readonly settings: Partial<MqttSettings>;
  /** Files that could not be read. */
  readonly problems: readonly Problem[];
}

/** Reads the settings that the configuration file names, and the files that they name. */
export function readFileSettings(file: MqttFileSettings): FileSettings {
  const problems: Problem[] = [];
  const named = file as Readonly<Record<string, unknown>>;
  const entries = mqttSettingList.flatMap(([name, setting]): (readonly [MqttSettingName, unknown])[] => {
    const value = named[setting.kind === 'pem' ? setting.fileName : setting.name];
    if (value === undefined) return [];
    if (setting.kind !== 'pem' || value === '') return [[name, value]];
    const text = readPem(String(value));
    if (text === null) problems.push(createProblem('mqtt_file_not_read', { path: String(value) }));
    return [[name, text ?? '']];
  });
  return { settings: Object.fromEntries(entries), problems };
}

function readPem(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length <= maxPemLength ? text : null;
  } catch {
    return null;
  }
}

/** The port in use: 0 is the usual one. */
export const portInUse = ({ port, usesTls }: Pick<MqttSettings, 'port' | 'usesTls'>): number =>
  port || (usesTls ? 8_883 : 1_883);

import {
  GetRoleCommand,
  GetRolePolicyCommand,
  type IAMClient,
  ListAttachedRolePoliciesCommand,
  paginateListRolePolicies,
} from "@aws-sdk/client-iam";
import { type Statement, statementsOf } from "../cloudformation/policy-document.ts";
import { AUDIENCE, DEPLOY_ACTIONS, GITHUB } from "../cloudformation/template-role.ts";
import { type Check, type CheckGroup, ok, verdict } from "./check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";
import { once } from "./once.ts";

interface RoleSource {
  readonly iam: IAMClient;
  readonly role: string;
  readonly trust: readonly Statement[];
  readonly permissions: () => Promise<readonly Statement[]>;
}

/** One branch or environment of one repository, without wildcards. */
const SUBJECT = /^repo:[^*?:/]+\/[^*?:/]+:(?:ref:refs\/heads\/[^*?]+|environment:[^*?]+)$/;

const INVERTED = "a statement has a NotAction, NotResource or NotPrincipal";

const KNOWN: ReadonlySet<string> = new Set(Object.values(DEPLOY_ACTIONS).flat());

/** Checks that one workflow only may assume the deploy role, and that it permits a deploy only. */
export function roleGroup(
  iam: IAMClient,
  { role = "", ...setup }: DoctorSetup,
): CheckGroup<RoleSource> {
  return {
    id: "role",
    title: "the deploy role exists",
    missing: role === "" ? "--role" : undefined,
    open: async () => {
      const { Role } = await iam.send(new GetRoleCommand({ RoleName: role }));
      const trust = statementsOf(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? ""));
      const permissions = once(() => inlinePolicies(iam, role));
      return { source: { iam, role, trust, permissions }, outcome: ok(Role?.Arn ?? role) };
    },
    checks: [TRUST, ACTIONS, RESOURCES, ATTACHED, enough(setup.kvs !== undefined)],
  };
}

const TRUST: Check<RoleSource> = {
  id: "role-trust",
  title: "one branch or environment of one repository may assume the role",
  run({ trust }) {
    const allowed = trust.filter(({ allows }) => allows);
    const faults = allowed.flatMap(({ principals, actions, conditions, isInverted }) => {
      const named = Object.entries(principals).flatMap(([kind, names]) =>
        names.map((name) => `${kind} ${name}`),
      );
      const audience = conditions.get(`stringequals ${GITHUB}:aud`) ?? [];
      const subjects = ["stringequals", "stringlike"].flatMap(
        (operator) => conditions.get(`${operator} ${GITHUB}:sub`) ?? [],
      );
      return [
        ...(isInverted ? [INVERTED] : []),
        ...named
          .filter((name) => !(name.startsWith("Federated ") && name.endsWith(`/${GITHUB}`)))
          .map((name) => `${name} may assume it`),
        ...actions
          .filter((action) => action !== "sts:AssumeRoleWithWebIdentity")
          .map((action) => `it allows ${action}`),
        ...(audience.length === 1 && audience[0] === AUDIENCE ? [] : [`aud is not ${AUDIENCE}`]),
        ...(subjects.length === 0 ? ["sub is not limited: any repository may assume it"] : []),
        ...subjects.filter((one) => !SUBJECT.test(one)).map((one) => `sub may be ${one}`),
      ];
    });
    if (allowed.length === 0) faults.push("nobody may assume it");
    const hint = "limit aud and sub with StringEquals, as svc cdn template does";
    return verdict(faults, "aud and sub are limited", hint);
  },
};

const ACTIONS: Check<RoleSource> = {
  id: "role-actions",
  title: "the role permits only the actions of a deploy",
  async run({ permissions }) {
    const allowed = (await permissions()).filter(({ allows }) => allows);
    const faults = [
      ...allowed.filter(({ isInverted }) => isInverted).map(() => INVERTED),
      ...allowed.flatMap(({ actions }) => actions).filter((action) => !KNOWN.has(action)),
    ];
    return verdict(faults, "nothing else", "remove these actions from the role's policies");
  },
};

const RESOURCES: Check<RoleSource> = {
  id: "role-resources",
  title: "the role's permissions name their resources",
  async run({ permissions }) {
    const faults = (await permissions())
      .filter(({ allows }) => allows)
      .flatMap(({ resources }) => resources)
      // The only wildcard allowed: all objects of a bucket, or below a prefix of it.
      .filter((resource) =>
        /[*?]/.test(resource.replace(/^(arn:[^:*]+:s3:::[^*?/]+\/.*)\*$/, "$1")),
      );
    return verdict(faults, "all named", "name the bucket, the KeyValueStore or the distribution");
  },
};

const ATTACHED: Check<RoleSource> = {
  id: "role-attached",
  title: "no managed policy is attached to the role",
  async run({ iam, role }) {
    const found = await iam.send(new ListAttachedRolePoliciesCommand({ RoleName: role }));
    const faults = (found.AttachedPolicies ?? []).map(({ PolicyName }) => `${PolicyName}`);
    return verdict(faults, "none", "detach them: a deploy needs the role's own policy only");
  },
};

function enough(withKvs: boolean): Check<RoleSource> {
  const { bucket, objects, pointers, distribution } = DEPLOY_ACTIONS;
  const needed = [...bucket, ...objects, ...(withKvs ? pointers : distribution)];
  return {
    id: "role-enough",
    title: "the role permits all actions of a deploy",
    async run({ permissions }) {
      const allowed = (await permissions()).filter(({ allows }) => allows);
      const actions = new Set(allowed.flatMap((statement) => statement.actions));
      const missing = needed.filter((action) => !actions.has(action));
      const hint = "add the actions that svc cdn template lists";
      return verdict(
        missing.map((action) => `${action} is missing`),
        `${needed.length} actions`,
        hint,
      );
    },
  };
}

async function inlinePolicies(iam: IAMClient, role: string): Promise<Statement[]> {
  const statements: Statement[] = [];
  for await (const page of paginateListRolePolicies({ client: iam }, { RoleName: role })) {
    for (const PolicyName of page.PolicyNames ?? []) {
      const found = await iam.send(new GetRolePolicyCommand({ RoleName: role, PolicyName }));
      statements.push(...statementsOf(decodeURIComponent(found.PolicyDocument ?? "")));
    }
  }
  return statements;
}

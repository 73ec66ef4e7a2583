import {
  GetRoleCommand,
  GetRolePolicyCommand,
  type IAMClient,
  ListAttachedRolePoliciesCommand,
  paginateListRolePolicies,
} from "@aws-sdk/client-iam";
import { type Statement, statementsOf } from "../cloudformation/policy-document.ts";
import { AUDIENCE, DEPLOY_ACTIONS, GITHUB } from "../cloudformation/template-role.ts";
import { once } from "./doctor-bucket.ts";
import { type Check, type CheckGroup, ok, verdict } from "./doctor-check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";

interface RoleSource {
  readonly iam: IAMClient;
  readonly role: string;
  readonly trust: readonly Statement[];
  readonly permissions: () => Promise<readonly Statement[]>;
}

/** One branch or environment of one repository, without wildcards. */
const SUBJECT = /^repo:[^*?:/]+\/[^*?:/]+:(?:ref:refs\/heads\/[^*?]+|environment:[^*?]+)$/;

const KNOWN: ReadonlySet<string> = new Set(Object.values(DEPLOY_ACTIONS).flat());

/** That the deploy role can be taken by one workflow, and may do what a deploy does. */
export function roleGroup(
  iam: IAMClient,
  { role = "", ...setup }: DoctorSetup,
): CheckGroup<RoleSource> {
  return {
    id: "role",
    title: "the deploy role is there",
    missing: role === "" ? "--role" : undefined,
    open: async () => {
      const { Role } = await iam.send(new GetRoleCommand({ RoleName: role }));
      const trust = statementsOf(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? ""));
      const permissions = once(() => inlinePolicies(iam, role));
      return { source: { iam, role, trust, permissions }, finding: ok(Role?.Arn ?? role) };
    },
    checks: [TRUST, ACTIONS, RESOURCES, ATTACHED, enough(setup.kvs !== undefined)],
  };
}

const TRUST: Check<RoleSource> = {
  id: "role-trust",
  title: "one branch or environment of one repository may take the role",
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
        ...(isInverted ? ["a statement says who may not"] : []),
        ...named
          .filter((name) => !(name.startsWith("Federated ") && name.endsWith(`/${GITHUB}`)))
          .map((name) => `${name} may take it`),
        ...actions
          .filter((action) => action !== "sts:AssumeRoleWithWebIdentity")
          .map((action) => `it allows ${action}`),
        ...(audience.length === 1 && audience[0] === AUDIENCE ? [] : [`aud is not ${AUDIENCE}`]),
        ...(subjects.length === 0 ? ["sub is not limited: any repository may take it"] : []),
        ...subjects.filter((one) => !SUBJECT.test(one)).map((one) => `sub may be ${one}`),
      ];
    });
    if (allowed.length === 0) faults.push("nobody may take it");
    const hint = "limit aud and sub by StringEquals, as svc cdn template has it";
    return verdict(faults, "aud and sub are limited", hint);
  },
};

const ACTIONS: Check<RoleSource> = {
  id: "role-actions",
  title: "the role may do nothing but what a deploy does",
  async run({ permissions }) {
    const allowed = (await permissions()).filter(({ allows }) => allows);
    const faults = [
      ...allowed
        .filter(({ isInverted }) => isInverted)
        .map(() => "a statement says what it is not"),
      ...allowed.flatMap(({ actions }) => actions).filter((action) => !KNOWN.has(action)),
    ];
    return verdict(faults, "nothing else", "take these actions out of the role's policies");
  },
};

const RESOURCES: Check<RoleSource> = {
  id: "role-resources",
  title: "the role's permissions name what they are about",
  async run({ permissions }) {
    const faults = (await permissions())
      .filter(({ allows }) => allows)
      .flatMap(({ resources }) => resources)
      // The one wildcard: all objects of a bucket, or below a prefix of it.
      .filter((resource) =>
        /[*?]/.test(resource.replace(/^(arn:[^:*]+:s3:::[^*?/]+\/.*)\*$/, "$1")),
      );
    return verdict(faults, "all named", "name the bucket, the KeyValueStore or the distribution");
  },
};

const ATTACHED: Check<RoleSource> = {
  id: "role-attached",
  title: "no managed policy widens the role",
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
    title: "the role may do what a deploy does",
    async run({ permissions }) {
      const allowed = (await permissions()).filter(({ allows }) => allows);
      const actions = new Set(allowed.flatMap((statement) => statement.actions));
      const missing = needed.filter((action) => !actions.has(action));
      const hint = "give the role what svc cdn template gives it";
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
